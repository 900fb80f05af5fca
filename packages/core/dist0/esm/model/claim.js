export {};
//# sourceMappingURL=claim.js.map