import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { DEFAULT_LOCALE, isLocale } from '@officium/i18n/locales';
import { TextProvider } from './text.tsx';
import { loadMessages } from './messages.ts';

const { lang, dataset } = document.documentElement;
const locale = isLocale(lang) ? lang : DEFAULT_LOCALE;
const messages = await loadMessages(locale);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TextProvider locale={locale} messages={messages} timeZone={dataset.timeZone ?? 'UTC'}>
        <HydratedRouter />
      </TextProvider>
    </StrictMode>,
  );
});

// The server writes dates in the visitor's own time zone from the next page on.
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (timeZone && timeZone !== dataset.timeZone) {
  document.cookie = `tz=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`;
}
