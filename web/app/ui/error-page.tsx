import { isRouteErrorResponse } from 'react-router';
import { CircleSlash, CloudOff, Hourglass, SearchX, TriangleAlert } from 'lucide-react';
import { useSiteName } from '../site.ts';
import { useText } from '../text.tsx';
import { LinkButton } from './button.tsx';
import { Icon } from './icon.tsx';

const KINDS = {
  not_found: { icon: SearchX, title: 'errors.not_found_title', text: 'errors.not_found_text' },
  forbidden: { icon: CircleSlash, title: 'errors.forbidden_title', text: 'errors.forbidden_text' },
  too_many: { icon: Hourglass, title: 'errors.too_many_title', text: 'errors.too_many_text' },
  unavailable: { icon: Hourglass, title: 'errors.unavailable_title', text: 'errors.unavailable_text' },
  offline: { icon: CloudOff, title: 'errors.offline_title', text: 'errors.offline_text' },
  server: { icon: TriangleAlert, title: 'errors.server_title', text: 'errors.server_text' },
} as const;
export type ErrorKind = keyof typeof KINDS;

/** A whole page in place of one that failed. */
export function ErrorPage({ kind, detail }: { kind: ErrorKind; /** For developers only. */ detail?: string }) {
  const { t } = useText();
  const name = useSiteName();
  const { icon, title, text } = KINDS[kind];
  return (
    <div className="page py-16 md:py-24">
      <title>{`${t(title)} · ${name}`}</title>
      <meta name="robots" content="noindex" />
      <div className="max-w-2xl">
        <span className="mb-5 inline-flex rounded-full bg-accent-soft p-4 text-accent">
          <Icon as={icon} size={32} />
        </span>
        <h1 className="text-4xl md:text-5xl">{t(title)}</h1>
        <p className="mt-4 text-lg text-muted">{t(text)}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          {kind === 'not_found' || kind === 'forbidden' ? null : (
            <a href="" className="btn btn-primary">
              {t('common.retry')}
            </a>
          )}
          <LinkButton to="/" look={kind === 'not_found' || kind === 'forbidden' ? 'primary' : 'secondary'}>
            {t('errors.back_home')}
          </LinkButton>
          {kind === 'not_found' ? (
            <LinkButton to="/courses" look="secondary">
              {t('common.courses')}
            </LinkButton>
          ) : null}
        </div>
        {detail ? <pre className="mt-8 overflow-x-auto rounded bg-sunk p-4 text-sm">{detail}</pre> : null}
      </div>
    </div>
  );
}

/** The kind of error page for an error of a loader, action or render. */
export function kindOf(error: unknown): ErrorKind {
  if (isRouteErrorResponse(error)) {
    const byStatus: Record<number, ErrorKind> = {
      403: 'forbidden',
      404: 'not_found',
      429: 'too_many',
      503: 'unavailable',
    };
    return byStatus[error.status] ?? 'server';
  }
  const isLost = typeof navigator !== 'undefined' && navigator.onLine === false;
  return isLost ? 'offline' : 'server';
}
