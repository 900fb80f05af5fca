export {};
//# sourceMappingURL=admission.js.map