/** An event of a text field that asks the page for a file to upload. */
export const ASK_UPLOAD = 'ask-upload';

/** An event of a text field that asks its editor to insert Markdown at the cursor. */
export const INSERT_MARKDOWN = 'insert-markdown';

/** Inserts Markdown at the cursor of the editor of a field. Returns false if the field has no editor. */
export function insertMarkdown(textArea: HTMLTextAreaElement, markdown: string): boolean {
  return !textArea.dispatchEvent(new CustomEvent(INSERT_MARKDOWN, { detail: markdown, cancelable: true }));
}
