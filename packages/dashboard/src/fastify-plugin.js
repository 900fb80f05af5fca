/** Serves all paths below the prefix of a registration. */
export function fastifyPlugin(serve) {
    return (app, _options, done) => {
        // The dashboard reads bodies itself.
        app.removeAllContentTypeParsers();
        app.addContentTypeParser('*', (_request, _payload, end) => end(null));
        const handle = ({ raw: request }, reply) => {
            reply.hijack();
            const { raw: response } = reply;
            // Headers of hooks, such as those of @fastify/helmet, are in the reply until it is sent.
            for (const [name, value] of Object.entries(reply.getHeaders()))
                if (value !== undefined)
                    response.setHeader(name, value);
            const mounted = request.url.replace(/\?.*$/s, '');
            void serve({ request, response, path: mounted.slice(app.prefix.length) || '/', mounted });
        };
        app.all('/', handle);
        app.all('/*', handle);
        done();
    };
}
