import { xml } from './xml.ts';

export type Entry = {
  url: string;
  title: string;
  summary: string;
  author: string;
  locale: string;
  publishedAt: string;
  updatedAt: string;
};

export type Feed = {
  /** The address of the feed itself. */
  self: string;
  /** The page the feed belongs to. */
  page: string;
  title: string;
  subtitle: string;
  locale: string;
  /** Newest first. */
  entries: Entry[];
};

/** When the feed last changed; the epoch while it is empty, since the format requires a time. */
export function updatedAt({ entries }: Feed): string {
  return entries.map((entry) => entry.updatedAt).reduce((a, b) => (a > b ? a : b), new Date(0).toISOString());
}

/** RFC 4287. Texts are plain, so that feed readers need not trust our markup. */
export function atomOf(feed: Feed): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(feed.locale)}">
<id>${xml(feed.page)}</id>
<title>${xml(feed.title)}</title>
<subtitle>${xml(feed.subtitle)}</subtitle>
<link rel="self" type="application/atom+xml" href="${xml(feed.self)}"/>
<link rel="alternate" type="text/html" href="${xml(feed.page)}"/>
<updated>${updatedAt(feed)}</updated>
${feed.entries.map(entryOf).join('')}</feed>
`;
}

function entryOf({ url, title, summary, author, locale, publishedAt, updatedAt: changed }: Entry): string {
  return `<entry xml:lang="${xml(locale)}">
<id>${xml(url)}</id>
<title>${xml(title)}</title>
<link rel="alternate" type="text/html" href="${xml(url)}"/>
<published>${publishedAt}</published>
<updated>${changed}</updated>
<author><name>${xml(author)}</name></author>
<summary>${xml(summary)}</summary>
</entry>
`;
}
