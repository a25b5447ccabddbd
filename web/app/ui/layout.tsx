import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useLocation, useNavigation } from 'react-router';
import type { Viewer } from '../server/page-context.ts';
import { useDraftGuard } from '../editor/draft-guard.ts';
import type { Flash as FlashMessage } from '../form/flash.ts';
import { useText } from '../text.tsx';
import { announce } from './announce.ts';
import { Footer } from './footer.tsx';
import { BottomBar, Header } from './header.tsx';
import { PreviewBanner } from './preview-banner.tsx';
import { SiteNotices } from './lazy-site-notices.tsx';
import { Notice } from './notice.tsx';

type Props = { viewer: Viewer | null; flash?: FlashMessage | null; children: ReactNode };

/** Frame of every page: skip link, header, `main`, footer, and the bottom bar on phones. */
export function Layout({ viewer, flash, children }: Props) {
  const main = useRef<HTMLElement>(null);
  useArrival(main);
  // The learner of a preview must not delete the drafts of the administrator.
  useDraftGuard(viewer?.preview ? undefined : viewer?.id, flash);
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <LoadingBar />
      {viewer?.preview ? <PreviewBanner cohort={viewer.preview.cohort} /> : null}
      <Header viewer={viewer} />
      <SiteNotices />
      <Flash flash={flash} />
      <main id="main" ref={main} tabIndex={-1} className="flex-1">
        {children}
      </main>
      <Footer />
      <BottomBar viewer={viewer} />
      <div id="announcer" role="status" className="sr-only" />
    </div>
  );
}

function SkipLink() {
  const { t } = useText();
  return (
    <a
      href="#main"
      className="btn btn-primary sr-only focus:not-sr-only focus:fixed focus:start-4 focus:top-3 focus:z-50 focus:min-h-11 focus:px-4 focus:py-2"
    >
      {t('common.skip')}
    </a>
  );
}

function LoadingBar() {
  const { state } = useNavigation();
  return state === 'idle' ? null : <div className="loading-bar" aria-hidden="true" />;
}

/** A message from the previous page; see form/flash.ts. It stays while the page only reads its data again. */
function Flash({ flash }: { flash: FlashMessage | null | undefined }) {
  const { maybe } = useText();
  const { key } = useLocation();
  const [kept, setKept] = useState({ key, flash });
  const isNew = key !== kept.key || (flash && flash !== kept.flash);
  if (isNew) setKept({ key, flash });
  const shown = isNew ? flash : kept.flash;
  const message = shown ? maybe(shown.key, shown.values) : undefined;
  if (!message) return null;
  return (
    <div className="page py-4">
      <Notice tone={shown?.tone ?? 'success'} live>
        {message}
      </Notice>
    </div>
  );
}

/** After client-side navigation: moves the focus to the top and announces the title. */
function useArrival(main: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
    announce(document.title);
  }, [pathname, main]);
}
