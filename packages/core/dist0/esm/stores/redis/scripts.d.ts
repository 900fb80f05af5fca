export declare const scripts: {
    "consume-fw": {
        sha: string;
        readonly source: string;
    };
    "consume-sw": {
        sha: string;
        readonly source: string;
    };
    "consume-sl": {
        sha: string;
        readonly source: string;
    };
    "consume-tb": {
        sha: string;
        readonly source: string;
    };
    "consume-lb": {
        sha: string;
        readonly source: string;
    };
    "consume-mw": {
        sha: string;
        readonly source: string;
    };
    "consume-any": {
        sha: string;
        readonly source: string;
    };
    "groups-fw": {
        sha: string;
        readonly source: string;
    };
    "singles-fw": {
        sha: string;
        readonly source: string;
    };
    "singles-sw": {
        sha: string;
        readonly source: string;
    };
    "singles-sl": {
        sha: string;
        readonly source: string;
    };
    "singles-tb": {
        sha: string;
        readonly source: string;
    };
    "singles-lb": {
        sha: string;
        readonly source: string;
    };
    "singles-mw": {
        sha: string;
        readonly source: string;
    };
    "refund-fw": {
        sha: string;
        readonly source: string;
    };
    "refund-sw": {
        sha: string;
        readonly source: string;
    };
    "refund-sl": {
        sha: string;
        readonly source: string;
    };
    "refund-tb": {
        sha: string;
        readonly source: string;
    };
    "refund-lb": {
        sha: string;
        readonly source: string;
    };
    "refund-mw": {
        sha: string;
        readonly source: string;
    };
    "refund-any": {
        sha: string;
        readonly source: string;
    };
    record: {
        sha: string;
        readonly source: string;
    };
    reset: {
        sha: string;
        readonly source: string;
    };
    inspect: {
        sha: string;
        readonly source: string;
    };
    eviction: {
        sha: string;
        readonly source: string;
    };
};
//# sourceMappingURL=scripts.d.ts.map