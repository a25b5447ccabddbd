import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../text.tsx';
import { Icon } from '../ui/icon.tsx';
import { LinkCard, type LinkCardData } from '../ui/link-card.tsx';

const PAUSE_MS = 700;
const ADDRESS = /https?:\/\/[^\s<>"'()[\]]*[\p{L}\p{N}/]/u;

/** Card of the first link in the text being written. Renders nothing when there is no preview. */
export function LinkPreview({ field }: { field: HTMLTextAreaElement }) {
  const { t } = useText();
  const [address, setAddress] = useState<string>();
  const [card, setCard] = useState<LinkCardData | null>(null);
  const [dismissed, setDismissed] = useState<string>();

  useEffect(() => {
    const look = () => setAddress(ADDRESS.exec(field.value)?.[0]);
    look();
    const { form } = field;
    const lookLater = () => setTimeout(look);
    field.addEventListener('input', look);
    field.addEventListener('refill', look);
    form?.addEventListener('reset', lookLater);
    return () => {
      field.removeEventListener('input', look);
      field.removeEventListener('refill', look);
      form?.removeEventListener('reset', lookLater);
    };
  }, [field]);

  useEffect(() => {
    setCard(null);
    if (!address || address === dismissed) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(async () => setCard(await findCard(address, stop.signal)), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [address, dismissed]);

  if (!card) return null;
  return (
    <div className="relative mt-2" role="group" aria-label={t('compose.preview')}>
      <LinkCard card={card} />
      <button
        type="button"
        aria-label={t('compose.preview_dismiss')}
        title={t('compose.preview_dismiss')}
        className="absolute end-1 top-1 inline-flex size-11 items-center justify-center rounded hover:bg-accent-soft"
        onClick={() => {
          setDismissed(address);
          field.parentElement?.querySelector<HTMLElement>('[contenteditable=true], textarea:not([hidden])')?.focus();
        }}
      >
        <Icon as={X} size={18} />
      </button>
    </div>
  );
}

async function findCard(address: string, signal: AbortSignal): Promise<LinkCardData | null> {
  const encoded = btoa(String.fromCodePoint(...new TextEncoder().encode(address)));
  const path = encoded.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  try {
    const answer = await fetch(`/api/assets/link-previews/${path}`, { signal });
    return answer.ok ? ((await answer.json()) as LinkCardData) : null; // readLinkPreview
  } catch {
    return null; // offline, or the text changed: the link stays a plain link
  }
}
