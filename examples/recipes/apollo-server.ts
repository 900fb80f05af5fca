// Apollo Server 5: a plugin that charges each operation by its complexity, before its resolvers run.
//
// - The status is 429 with `Retry-After`, 422 for a query that costs more than the limit, 400 for wrong variables.
// - Apollo refuses batches unless `allowBatchedHttpRequests` is set. Then each operation of a batch is charged.
// - The context has the request, so the limiter reads the address that your framework has found.

import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type { HttpRequest } from '@sluice/http';
import { GraphQLError } from 'graphql';
import { charge, resolvers, typeDefs } from './graphql-cost.js';

interface Context {
  readonly request: HttpRequest;
}

const limitComplexity: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document: query, request, contextValue, response: { http } }) {
        const { variables, operationName } = request;
        const denial = await charge(contextValue.request, { schema, query, variables, operationName });
        if (!denial) return;
        const { status, code, seconds, message } = denial;
        http.status = status;
        if (seconds !== undefined) http.headers.set('retry-after', String(seconds));
        throw new GraphQLError(message, { extensions: { code, retryAfter: seconds } });
      },
    };
  },
};

export const server = new ApolloServer<Context>({ typeDefs, resolvers, plugins: [limitComplexity] });

export const start = (port: number) =>
  startStandaloneServer(server, { context: async ({ req: request }) => ({ request }), listen: { port } });
