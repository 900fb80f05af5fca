/** A module that SvelteKit makes. Its types come with SvelteKit. */
declare module '$app/env' {
  export const building: boolean;
}
