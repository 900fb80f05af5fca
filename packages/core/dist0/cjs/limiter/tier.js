"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.TIER_OPTIONS = void 0;
exports.TIER_OPTIONS = [
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