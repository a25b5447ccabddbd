import type { readLinkPreview } from '@officium/contract/assets';
import type { ReplyOf } from '@officium/contract/endpoint';

export type LinkCardData = Pick<ReplyOf<typeof readLinkPreview>, 'url' | 'title' | 'description'>;

/** Preview card of a linked page. Without its picture, which would reveal the viewer to that server. */
export function LinkCard({ card }: { card: LinkCardData }) {
  const { url, title, description } = card;
  return (
    <a
      href={url}
      rel="nofollow ugc noopener"
      className="block rounded border border-line bg-sunk py-3 ps-4 pe-14 hover:border-accent"
    >
      <span dir="auto" className="block font-semibold">
        {title}
      </span>
      {description ? (
        <span dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted">
          {description}
        </span>
      ) : null}
      <span dir="ltr" className="mt-1 block truncate text-start text-sm text-muted">
        {new URL(url).host}
      </span>
    </a>
  );
}
