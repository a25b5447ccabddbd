import { endonymOf, isLocale, LOCALES, type Locale } from '@officium/i18n/locales';
import { paragraphsOf, transcriptOf } from '../captions.ts';
import { escapeHtml } from '../html.ts';
import type { BlockType, BlockView, ResolvedFile } from './block.ts';

const CAPTIONS = LOCALES.map((locale) => [locale, `captions-${locale}`] as const);

/** A path in the content folder, not an address elsewhere. */
const isPath = (value: string) => /^[^\s:\\]+$/.test(value) && !value.startsWith('//');
const captionPaths = Object.fromEntries(CAPTIONS.map(([, name]) => [name, isPath]));

/** The attributes of media blocks that name files. */
export const FILE_ATTRIBUTES: readonly string[] = ['src', 'poster', 'transcript', ...CAPTIONS.map(([, name]) => name)];

/** `::video[Title]{src=media/a.mp4 captions-en=media/a.vtt poster=images/a.webp}`, with a transcript from its captions. */
export const video: BlockType = {
  kind: 'leaf',
  attributes: { src: isPath, poster: isPath, ...captionPaths },
  render(view) {
    const { options, attributes } = view;
    const file = fileOf(view, 'src', ['mp4', 'webm']);
    if (!file) return missing(view);
    const tracks = CAPTIONS.flatMap(([locale, name]) => {
      const captions = fileOf(view, name, ['vtt']);
      return captions ? [{ locale, captions }] : [];
    });
    const own = tracks.find(({ locale }) => locale === options.mediaLabels?.locale) ?? tracks[0];
    const poster = attributes['poster'] === undefined ? undefined : options.resolveImage?.(attributes['poster']);
    const picture = typeof poster === 'string' ? poster : poster?.src;
    const elements = tracks.map(({ locale, captions }) => {
      const shown = locale === own?.locale ? ' default' : '';
      return `<track kind="captions" src="${escapeHtml(captions.url)}" srclang="${locale}" label="${escapeHtml(endonymOf(locale))}"${shown}>`;
    });
    return figure(view, {
      player: `<video controls preload="metadata" playsinline src="${escapeHtml(file.url)}"${picture ? ` poster="${escapeHtml(picture)}"` : ''}${named(view)}>${elements.join('')}</video>`,
      words: own?.captions.text,
      paragraphs: transcriptOf,
      locale: own?.locale,
    });
  },
};

/** `::audio[Title]{src=media/a.mp3 transcript=media/a.vtt}`. The transcript is WebVTT or plain text. */
export const audio: BlockType = {
  kind: 'leaf',
  attributes: { src: isPath, transcript: isPath },
  render(view) {
    const file = fileOf(view, 'src', ['mp3', 'm4a', 'ogg', 'wav']);
    if (!file) return missing(view);
    const { text, extension } = fileOf(view, 'transcript', ['vtt', 'txt']) ?? {};
    return figure(view, {
      player: `<audio controls preload="metadata" src="${escapeHtml(file.url)}"${named(view)}></audio>`,
      words: text,
      paragraphs: extension === 'vtt' ? transcriptOf : paragraphsOf,
      locale: view.options.mediaLabels?.locale,
    });
  },
};

/** `::file[Title]{src=media/form.pdf}`: a download with its type and size. */
export const file: BlockType = {
  kind: 'leaf',
  attributes: { src: isPath },
  render(view) {
    const found = fileOf(view, 'src');
    if (!found) return missing(view);
    const facts = `${found.extension.toUpperCase()}, ${sizeOf(found.bytes, view.options.mediaLabels?.locale ?? 'en')}`;
    const title = view.label || found.name;
    return `<p class="file"><a href="${escapeHtml(addressOf(found))}" download>${escapeHtml(title)}</a> <bdi class="file-facts">(${escapeHtml(facts)})</bdi></p>`;
  },
};

function fileOf({ attributes, options }: BlockView, name: string, extensions?: string[]): ResolvedFile | undefined {
  const path = attributes[name];
  const found = path === undefined ? undefined : options.resolveMedia?.(path);
  return found && (extensions?.includes(found.extension) ?? true) ? found : undefined;
}

/** Shows the title of a recording or file that is missing, as for pictures. */
function missing({ label }: BlockView): string {
  return label === '' ? '' : `<p>${escapeHtml(label)}</p>`;
}

const named = ({ label }: BlockView) => (label === '' ? '' : ` aria-label="${escapeHtml(label)}"`);

type Played = {
  player: string;
  /** The content of the file with the transcript. */
  words: string | undefined;
  paragraphs: (words: string) => string[];
  locale: Locale | undefined;
};

function figure(view: BlockView, played: Played): string {
  const caption = view.label === '' ? '' : `<figcaption>${escapeHtml(view.label)}</figcaption>\n`;
  return `<figure class="media">\n${played.player}\n${caption}${unfolding(view, played)}</figure>`;
}

function unfolding({ options: { mediaLabels }, take }: BlockView, { words = '', paragraphs, locale }: Played): string {
  // Counted before it is read too, because reading costs as much as the file is long.
  const read = words !== '' && take(words.length) ? paragraphs(words) : [];
  if (read.length === 0) return '';
  const isOther = locale !== undefined && locale !== mediaLabels?.locale;
  const language = isOther && isLocale(locale) ? ` (${endonymOf(locale)})` : '';
  const transcript = read.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  if (!take(Math.max(0, transcript.length - words.length))) return '';
  const direction = isOther ? ` lang="${locale}" dir="auto"` : '';
  return `<details class="transcript"><summary>${escapeHtml((mediaLabels?.transcript ?? '…') + language)}</summary>\n<div${direction}>\n${transcript}\n</div></details>\n`;
}

/** The name at the end of the address is the one under which the file is saved. */
function addressOf({ url, name }: ResolvedFile): string {
  return `${url}/${encodeURIComponent(name.toWellFormed())}`;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function sizeOf(bytes: number, locale: Locale): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** step;
  const format = { style: 'unit', unit: UNITS[step], maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 } as const;
  return new Intl.NumberFormat(locale, format).format(value);
}
