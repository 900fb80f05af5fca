/** An answer that is no success. The message says what to change, and repeats nothing of the request. */
export declare class HttpFailure extends Error {
    readonly name = "HttpFailure";
    readonly status: number;
    constructor(status: number, message: string);
}
