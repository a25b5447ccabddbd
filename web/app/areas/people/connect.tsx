import { Check, ChevronDown } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Form, useLocation, useNavigation } from 'react-router';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { readConnection } from '@officium/contract/account';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';

type ConnectionData = Pick<ReplyOf<typeof readConnection>, 'status' | 'direction' | 'updatedAt'>;
type Peer = { id: string; name: string };

/** The connection between the viewer and this user, with the possible actions. */
export function Connect({ peer, connection, mayAskFrom }: ConnectProps) {
  const { t, rich } = useText();
  const box = useRef<HTMLDivElement>(null);
  const state = connection && `${connection.status} ${connection.direction}`;
  useFocusKept(box, state);
  return (
    <div ref={box} tabIndex={-1} className="mt-5 outline-none">
      {state === 'pending outgoing' ? (
        <p className="mb-3">{rich('people.asked', { when: <Time value={connection?.updatedAt ?? ''} /> })}</p>
      ) : null}
      {state === 'pending incoming' ? <p className="mb-3">{t('people.asks_you', { name: peer.name })}</p> : null}
      {mayAskFrom ? (
        <p className="text-muted">{rich('people.declined_wait', { when: <Time value={mayAskFrom} look="date" /> })}</p>
      ) : (
        <ConnectionMoves key={state} peer={peer} connection={connection} />
      )}
    </div>
  );
}

type ConnectProps = {
  peer: Peer;
  connection: ConnectionData | null;
  /** When the viewer may ask again after a recent decline. */
  mayAskFrom: string | null;
};

/** Only the buttons. */
export function ConnectionMoves({ peer, connection, small }: MovesProps) {
  const { t } = useText();
  if (connection?.status === 'accepted') return <Connected peer={peer} small={small} />;
  const of = <span className="sr-only"> {peer.name}</span>;
  if (connection?.status === 'pending')
    return (
      <MoveForm peer={peer}>
        {connection.direction === 'incoming' ? (
          <>
            <Move intent="accept" small={small}>
              {t('people.accept')}
              {of}
            </Move>
            <Move intent="decline" look="secondary" small={small}>
              {t('people.decline')}
              {of}
            </Move>
          </>
        ) : (
          <Move intent="withdraw" look="secondary" small={small}>
            {t('people.withdraw')}
            {of}
          </Move>
        )}
      </MoveForm>
    );
  return (
    <MoveForm peer={peer}>
      <Move intent="connect" small={small}>
        {t('people.connect')}
      </Move>
    </MoveForm>
  );
}

type MovesProps = { peer: Peer; connection: Pick<ConnectionData, 'status' | 'direction'> | null; small?: boolean };

function Connected({ peer, small }: { peer: Peer; small?: boolean }) {
  const { t } = useText();
  return (
    <Menu
      align="start"
      summaryClassName={`border-edge! bg-card ${small ? 'btn-small' : ''}`}
      panelClassName={`w-72 ${small ? 'sm:start-auto sm:end-0' : ''}`}
      label={
        <>
          <Icon as={Check} size={18} />
          {t('people.connected')}
          <span className="sr-only"> {peer.name}</span>
          <Icon as={ChevronDown} size={16} />
        </>
      }
    >
      <MoveForm peer={peer} className="grid gap-3 p-2">
        <p className="text-sm text-muted">{t('people.remove_connection_text', { name: peer.name })}</p>
        <Move intent="remove" look="danger" small>
          {t('people.remove_connection')}
        </Move>
      </MoveForm>
    </Menu>
  );
}

type FormProps = { peer: Peer; className?: string; children: ReactNode };

function MoveForm({ peer, className = 'flex flex-wrap gap-2', children }: FormProps) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={`/people/${peer.id}/connection`} preventScrollReset className={className}>
      <input type="hidden" name="next" value={pathname + search} />
      {children}
    </Form>
  );
}

type MoveProps = { intent: string; look?: 'secondary' | 'danger'; small?: boolean; children: ReactNode };

function Move({ intent, children, ...button }: MoveProps) {
  const isUnderWay = useNavigation().formAction?.endsWith('/connection') ?? false;
  return (
    <Button name="intent" value={intent} isBusy={isUnderWay} {...button}>
      {children}
    </Button>
  );
}

/** Moves the focus to `box` when the pressed button disappears, because the next one appears there. */
export function useFocusKept(box: RefObject<HTMLElement | null>, state: unknown): void {
  const last = useRef(state);
  useEffect(() => {
    if (last.current === state) return;
    last.current = state;
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [box, state]);
}
