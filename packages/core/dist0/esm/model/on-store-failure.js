export const ON_STORE_FAILURE = ['local', 'allow', 'deny'];
//# sourceMappingURL=on-store-failure.js.map