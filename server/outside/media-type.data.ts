export type MediaKind = 'video' | 'audio' | 'captions' | 'file';
export type MediaType = { extension: string; mime: string; kind: MediaKind };

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** The types of media that texts may contain beside pictures. No browser runs any of them as a page. */
export const MEDIA_TYPES: readonly MediaType[] = [
  { extension: 'mp4', mime: 'video/mp4', kind: 'video' },
  { extension: 'webm', mime: 'video/webm', kind: 'video' },
  { extension: 'mp3', mime: 'audio/mpeg', kind: 'audio' },
  { extension: 'm4a', mime: 'audio/mp4', kind: 'audio' },
  { extension: 'ogg', mime: 'audio/ogg', kind: 'audio' },
  { extension: 'wav', mime: 'audio/wav', kind: 'audio' },
  { extension: 'vtt', mime: 'text/vtt', kind: 'captions' },
  { extension: 'pdf', mime: 'application/pdf', kind: 'file' },
  { extension: 'docx', mime: `${OPEN_XML}.wordprocessingml.document`, kind: 'file' },
  { extension: 'xlsx', mime: `${OPEN_XML}.spreadsheetml.sheet`, kind: 'file' },
  { extension: 'pptx', mime: `${OPEN_XML}.presentationml.presentation`, kind: 'file' },
  { extension: 'odt', mime: `${OPEN_DOCUMENT}.text`, kind: 'file' },
  { extension: 'ods', mime: `${OPEN_DOCUMENT}.spreadsheet`, kind: 'file' },
  { extension: 'odp', mime: `${OPEN_DOCUMENT}.presentation`, kind: 'file' },
  { extension: 'csv', mime: 'text/csv', kind: 'file' },
  { extension: 'txt', mime: 'text/plain', kind: 'file' },
];

/** Other names of these types, as file-type writes them. */
export const MEDIA_ALIASES: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
};

const byExtension = new Map(MEDIA_TYPES.map((type) => [type.extension, type]));
const byMime = new Map(MEDIA_TYPES.map((type) => [type.mime, type]));

/** The type with this extension; undefined for another. */
export function mediaOfExtension(extension: string): MediaType | undefined {
  return byExtension.get(extension);
}

/** The type with this media type; undefined for another. */
export function mediaOfMime(mime: string): MediaType | undefined {
  return byMime.get(MEDIA_ALIASES[mime] ?? mime);
}

/** The extension of a path, in lower case, without the dot. */
export function extensionOf(path: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
