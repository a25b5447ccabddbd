import { Parser } from 'htmlparser2';

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

/** The main part of each type of document, in small letters, and its declared type. */
export const MAIN_PARTS = [
  { extension: 'docx', part: 'word/document.xml', type: `${OPEN_XML}.wordprocessingml.document.main+xml` },
  { extension: 'xlsx', part: 'xl/workbook.xml', type: `${OPEN_XML}.spreadsheetml.sheet.main+xml` },
  { extension: 'pptx', part: 'ppt/presentation.xml', type: `${OPEN_XML}.presentationml.presentation.main+xml` },
] as const;

/** A name as office programs compare it: without `.` and empty steps, in small letters. Undefined if it leads out. */
export function partName(filename: string): string | undefined {
  const steps = filename
    .replaceAll('\\', '/')
    .split('/')
    .filter((step) => step !== '' && step !== '.');
  return steps.includes('..') ? undefined : steps.join('/').toLowerCase();
}

const PROGRAM =
  /(?:^|\/)(?:vbaproject[^/]*|vbadata[^/]*|macrosheets\/.*|activex\/.*|embeddings\/[^/]*\.(?:bin|ole|exe))$/;

/** Whether a part, by its name, is a macro, a control or an embedded object of another program. */
export function mayHoldProgram(name: string): boolean {
  return PROGRAM.test(name) || /^(?:basic|scripts)\//.test(name);
}

const UNSAFE_TYPE = /macro|vba|oleobject|activex|control\+xml|msdownload|x-dosexec|^application\/bin$/i;

/** Whether a list of content types declares programs, or another type for the main part. Refuses what it cannot read. */
export function declaresUnsafeType(xml: string, main: { part: string; type: string }): boolean {
  const elements = readElements(xml);
  if (!elements) return true;
  if (elements.some(({ contenttype = '' }) => UNSAFE_TYPE.test(contenttype))) return true;
  const own = elements.filter(({ partname }) => partname !== undefined && partName(partname) === main.part);
  return own.length !== 1 || own[0]?.['contenttype']?.trim().toLowerCase() !== main.type;
}

/** Relationships, in small letters, by which an office program loads or runs something. */
const PROGRAM_LINK =
  /\/(?:vbaproject|wordvbadata|oleobject|control|activexcontrolbinary|xlmacrosheet|xlintlmacrosheet)$/;

/** Whether a list of relationships leads to programs, or to a template elsewhere. Refuses what it cannot read. */
export function linksUnsafely(xml: string): boolean {
  const elements = readElements(xml);
  return (
    !elements ||
    elements.some(({ type = '', target = '', targetmode = '' }) => {
      const kind = type.trim().toLowerCase();
      if (PROGRAM_LINK.test(kind)) return true;
      const isLoaded = /(?:^|\/)(?:attachedtemplate|frame|subdocument|afchunk)$/.test(kind);
      return isLoaded && targetmode.trim().toLowerCase() === 'external' && !isOnOwnDisk(target);
    })
  );
}

/** Word notes the author's own template in every document made from one. */
const isOnOwnDisk = (target: string) => /^\s*file:\/\/\/[a-z]:[\\/]/i.test(target);

type Attributes = Partial<Record<string, string>>;

/** The attributes of all elements, with names in small letters; undefined for XML that could be read in two ways. */
function readElements(xml: string): Attributes[] | undefined {
  const elements: Attributes[] = [];
  let isPlain = true;
  const parser = new Parser(
    {
      onopentag(_, attributes) {
        const entries = Object.entries(attributes);
        elements.push(Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])));
      },
      onprocessinginstruction(name, data) {
        // Declarations can define entities, and other encodings hide letters.
        const encoding = /encoding\s*=\s*["']([^"']*)/i.exec(data)?.[1] ?? 'utf-8';
        if (name.startsWith('!') || !/^(?:utf-8|us-ascii)$/i.test(encoding)) isPlain = false;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return isPlain ? elements : undefined;
}
