export {};
//# sourceMappingURL=dialect-name.js.map