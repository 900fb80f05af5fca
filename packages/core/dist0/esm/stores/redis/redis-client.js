export {};
//# sourceMappingURL=redis-client.js.map