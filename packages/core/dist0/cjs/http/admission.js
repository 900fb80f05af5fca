"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=admission.js.map