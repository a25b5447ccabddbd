import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { visitOf } from '../people.ts';
import { addressOf, isFor, SCREENS, type Found, type Person, type Screen } from '../screens.ts';

type Options = { found: Found; locale: string; screens?: readonly Screen[]; width?: number };

/** Opens the screens of a person in two tabs: one loads while the other is checked. */
export async function walk(
  person: Person,
  { found, locale, screens = SCREENS, width = 1280 }: Options,
  look: (page: Page, screen: Screen) => Promise<string[]>,
): Promise<string[]> {
  const { context, page, faults } = await visitOf(person, {
    viewport: { width, height: 900 },
    // Otherwise colours would be checked during a transition.
    reducedMotion: 'reduce',
  });
  // An init script is cheaper than sending the source to each page.
  await context.addInitScript({ content: axe.source });
  const waiting = screens.filter((screen) => isFor(screen, person));
  const bad: string[] = [];
  const take = async (tab: Page) => {
    for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
      const address = addressOf(screen, found, locale);
      const reply = await tab.goto(address);
      const status = reply?.status();
      if (status !== (screen.status ?? 200)) bad.push(`${address} answers ${status}`);
      bad.push(...(await look(tab, screen)).map((fault) => `${address} ${fault}`));
    }
  };
  await Promise.all([take(page), take(await context.newPage())]);
  await context.close();
  return [...bad, ...faults];
}

/** The elements that overflow the window horizontally. */
export async function overruns(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 1 || left < -1;
    });
    const names = wide.slice(-3).map((element) => `<${element.localName} class="${element.getAttribute('class')}">`);
    return [`is ${scrollWidth} px wide in ${clientWidth}, because of ${names.join(', ')}`];
  });
}
