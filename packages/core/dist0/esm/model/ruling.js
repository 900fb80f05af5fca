export const NEVER = -1;
//# sourceMappingURL=ruling.js.map