export {};
//# sourceMappingURL=maybe-promise.js.map