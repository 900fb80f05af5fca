/** An answer that is no success. The message says what to change, and repeats nothing of the request. */
export class HttpFailure extends Error {
    name = 'HttpFailure';
    status;
    constructor(status, message) {
        super(message);
        this.status = status;
    }
}
