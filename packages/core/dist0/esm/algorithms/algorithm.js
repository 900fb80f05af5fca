export {};
//# sourceMappingURL=algorithm.js.map