export {};
//# sourceMappingURL=gate-response.js.map