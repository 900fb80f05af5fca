import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
/** Milliseconds that the nodes of a Cluster are waited for, and that a client is left ended. */
const MOMENT = 100;
/** A client that is the store's own to end. It is there before ioredis is, which is loaded when somebody connects. */
export class OwnClient extends EventEmitter {
    isCluster;
    /** Why it is not ready. */
    trouble;
    #connection;
    #ready = false;
    #failed = false;
    #ended = false;
    #end;
    #again;
    #opened;
    constructor(open, isCluster) {
        super();
        this.isCluster = isCluster;
        this.#opened = this.#open(open);
    }
    get status() {
        if (this.#failed)
            return 'end';
        const { status = 'connecting' } = this.#connection ?? {};
        return status === 'ready' && !this.#ready ? 'connecting' : status;
    }
    get slots() {
        return this.#connection?.slots ?? [];
    }
    nodes() {
        return this.#connection?.nodes?.() ?? [];
    }
    refreshSlotsCache() {
        this.#connection?.refreshSlotsCache?.();
    }
    evalsha(...call) {
        return this.#connection.evalsha(...call);
    }
    eval(...call) {
        return this.#connection.eval(...call);
    }
    end() {
        this.#end ??= this.#endOnce();
        return this.#end;
    }
    async #endOnce() {
        this.#ended = true;
        await this.#opened;
        clearTimeout(this.#again);
        const connection = this.#connection;
        if (connection?.status !== 'ready')
            return connection?.disconnect();
        const closed = once(this, 'end');
        connection.disconnect();
        await closed;
    }
    async #open(open) {
        try {
            this.#connection = await open();
        }
        catch (error) {
            this.trouble = error;
            this.#failed = true;
            this.emit('end');
            return;
        }
        const connection = this.#connection;
        // ioredis prints errors that nobody listens to, and tells a call that cannot be sent nothing of the reason.
        // A Cluster says that it failed, and one of its nodes why.
        connection.on('error', (error) => (this.trouble = error.lastNodeError ?? error));
        connection.on('ready', () => void this.#becomeReady());
        for (const event of ['close', 'end']) {
            connection.on(event, () => {
                this.#ready = false;
                this.emit(event);
            });
        }
        for (const event of ['+node', '-node'])
            connection.on(event, () => this.emit(event));
        connection.on('end', () => this.#connectAgain());
        this.#connect();
    }
    #connect() {
        if (!this.#ended)
            this.#connection?.connect().catch(() => undefined);
    }
    /** ioredis gives up for good when it hears of a failover in the moment in which it asks where to connect. */
    #connectAgain() {
        if (!this.#ended)
            this.#again = setTimeout(() => this.#connect(), MOMENT);
    }
    async #becomeReady() {
        // A Cluster is ready when it knows its nodes, and refuses what is sent to one that is still connecting.
        if (this.isCluster)
            await Promise.race([this.#primariesConnected(), delay(MOMENT)]);
        if (this.#connection?.status !== 'ready')
            return;
        this.trouble = undefined;
        this.#ready = true;
        this.emit('ready');
    }
    async #primariesConnected() {
        const names = new Set(this.slots.map(([name]) => name));
        const primaries = this.nodes().filter(({ options: { host, port } }) => names.has(`${host}:${port}`));
        await Promise.all(primaries.map(connected));
    }
}
/** Resolves when a node has connected, or could not. */
async function connected(node) {
    if (!node.status.startsWith('connect'))
        return;
    await new Promise((resolve) => {
        for (const event of ['ready', 'close', 'end'])
            node.on(event, resolve);
    });
}
//# sourceMappingURL=own-client.js.map