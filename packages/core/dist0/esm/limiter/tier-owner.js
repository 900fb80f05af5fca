export {};
//# sourceMappingURL=tier-owner.js.map