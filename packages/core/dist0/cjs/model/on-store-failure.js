"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ON_STORE_FAILURE = void 0;
exports.ON_STORE_FAILURE = ['local', 'allow', 'deny'];
//# sourceMappingURL=on-store-failure.js.map