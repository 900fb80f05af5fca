/** A file of the page. Its name changes with its text, so browsers may keep it for ever. */
export interface PageFile {
    readonly type: string;
    readonly text: string;
}
/** The files of the page, by name. */
export declare const pageFiles: ReadonlyMap<string, PageFile>;
/** The page: nothing of it stands in the HTML, because its policy forbids scripts and styles there. */
export declare const html: string;
