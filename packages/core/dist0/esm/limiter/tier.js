export const TIER_OPTIONS = [
    'name',
    'key',
    'cost',
    'mode',
    'countDenied',
    'record',
    'lease',
    'onStoreFailure',
];
//# sourceMappingURL=tier.js.map