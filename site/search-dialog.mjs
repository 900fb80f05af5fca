/** What VitePress calls a button is a dialog, the name of a result is its text, and a key is a picture with a name. */
const MENDS = /** @type {const} */ ([
  [/role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/, 'role="dialog"'],
  [/\s+:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
  [/<kbd (?=:aria-label)/g, '<kbd role="img" '],
  ['class="title-icon"', 'class="title-icon" aria-hidden="true"'],
]);

/** Mends the roles and names of the search box of VitePress: a plugin of Vite. */
export function searchDialogPlugin() {
  return {
    name: 'sluice-search-dialog',
    enforce: /** @type {const} */ ('pre'),
    transform(/** @type {string} */ code, /** @type {string} */ id) {
      return id.endsWith('/VPLocalSearchBox.vue') ? mended(code) : undefined;
    },
  };
}

/** @param {string} code */
function mended(code) {
  return MENDS.reduce((text, [wrong, right]) => {
    const better = text.replace(wrong, right);
    if (better === text) throw new Error(`The search box of VitePress has changed: ${wrong} is not in it.`);
    return better;
  }, code);
}
