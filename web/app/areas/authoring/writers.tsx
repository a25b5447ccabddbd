import type { noteWriter } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import { useEffect, useState } from 'react';
import { useText } from '../../text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import type { Kind } from './kinds.ts';

type Reply = ReplyOf<typeof noteWriter>;

/** Equals `WRITER_EVERY_SECONDS` of the contract, whose module would bring zod into the browser. */
const EVERY_MS = 20_000;

/**
 * Says who else has the piece open, and that a newer draft was saved. The server forgets whoever no longer asks, so a
 * closed tab and a lost connection need no farewell.
 */
export function Writers({ kind, pieceKey, version }: { kind: Kind; pieceKey: string; version: number }) {
  const { t, rich } = useText();
  const [reply, setReply] = useState<Reply>();
  useEffect(() => {
    const stop = new AbortController();
    const ask = async () => {
      if (document.visibilityState === 'hidden') return;
      const address = `/api/content/authoring/${kind}/pieces/${encodeURIComponent(pieceKey)}/writers`;
      const answer = await fetch(address, { method: 'POST', signal: stop.signal }).catch(() => undefined);
      // Offline or signed out: the next question finds out again.
      if (answer?.ok) setReply((await answer.json()) as Reply); // noteWriter
    };
    void ask();
    const timer = setInterval(() => void ask(), EVERY_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      stop.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [kind, pieceKey]);
  const isNewer = reply !== undefined && reply.version > version;
  return (
    <div role="status" className="grid gap-3 not-empty:mb-6">
      {reply && reply.writers.length > 0 ? (
        <Notice>
          <ul>
            {reply.writers.map(({ name, since }) => (
              <li key={`${since} ${name}`}>
                {rich('admin.content_writer', { name: <bdi>{name}</bdi>, when: <Time value={since} /> })}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {isNewer ? <Notice tone="danger">{t('admin.content_newer')}</Notice> : null}
    </div>
  );
}
