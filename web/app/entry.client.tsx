import { startTransition, StrictMode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { DEFAULT_LOCALE, isLocale } from '@officium/i18n/locales';
import { TextProvider } from './text.tsx';
import { tellTimeZone } from './time-zone.ts';
import { loadMessages } from './messages.ts';
import { repeatLeftDeletions } from './ui/deletion.ts';

const { lang, dataset } = document.documentElement;
const locale = isLocale(lang) ? lang : DEFAULT_LOCALE;
const messages = await loadMessages(locale);

/** Marks the page as hydrated: before that, forms submit as without script. */
function Page() {
  useEffect(() => {
    document.documentElement.dataset['hydrated'] = '';
  }, []);
  return <HydratedRouter />;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TextProvider locale={locale} messages={messages} timeZone={dataset.timeZone ?? 'UTC'}>
        <Page />
      </TextProvider>
    </StrictMode>,
  );
});

tellTimeZone();
repeatLeftDeletions();
// After the page is shown, which large fonts must not delay.
setTimeout(() => void import('./large-fonts.ts').then(({ watchForLargeFonts }) => watchForLargeFonts()), 500);
