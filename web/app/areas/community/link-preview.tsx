import { ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { encodeAddress, firstLinkOf } from './first-link.ts';

type Preview = { url: string; title: string; description?: string };

/**
 * Preview of the first page a text links to, loaded after the text. Its picture is left out, because loading it would
 * reveal the viewer to the other site.
 */
export function LinkPreview({ html }: { html: string }) {
  const { t } = useText();
  const address = firstLinkOf(html);
  const preview = usePreview(address);
  if (!preview) return null;
  return (
    <a
      href={preview.url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={`${t('thread.preview')}: ${preview.title} (${t('common.new_window')})`}
      className="card mt-5 block px-4 py-3 hover:border-accent"
    >
      <span className="flex items-center gap-2 text-sm text-muted">
        <Icon as={ExternalLink} size={16} />
        <bdi>{new URL(preview.url).host}</bdi>
      </span>
      <span dir="auto" className="mt-1 block font-semibold wrap-anywhere">
        {preview.title}
      </span>
      {preview.description ? (
        <span dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted">
          {preview.description}
        </span>
      ) : null}
    </a>
  );
}

function usePreview(address: string | undefined): Preview | undefined {
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    setPreview(undefined);
    if (!address) return undefined;
    const stop = new AbortController();
    void fetch(`/api/assets/link-previews/${encodeAddress(address)}`, { signal: stop.signal })
      .then(async (reply) => (reply.ok ? setPreview((await reply.json()) as Preview) : undefined)) // contract/assets.ts
      .catch(() => undefined); // the preview is optional
    return () => stop.abort();
  }, [address]);
  return preview;
}
