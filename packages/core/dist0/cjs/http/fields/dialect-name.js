"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
//# sourceMappingURL=dialect-name.js.map