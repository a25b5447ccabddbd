import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { UNDO_MS } from '../web/app/ui/deletion.ts';
import { axeFaults } from './axe.ts';
import { createCohort, heading, unique } from './cohorts.ts';
import { SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { mailTo, visit, visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const tab = async (page: Page, name: RegExp) =>
  await page.getByRole('navigation', { name: 'Cohort sections' }).getByRole('link', { name }).click();

async function paste(page: Page, text: string): Promise<void> {
  await tab(page, /^Uploads/);
  await heading(page, 'Upload addresses');
  await page.getByLabel('Paste addresses').fill(text);
  await button(page, 'Check addresses').click();
  await heading(page, 'Review before sending');
}

/** The figure with this label on the page. */
const figure = async (page: Page, label: string) =>
  await page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .innerText();

describe('a cohort', () => {
  it('is created, gets products and people, shows progress, and undoes an upload', { timeout: 300_000 }, async () => {
    const { page, context, faults } = await visitAs('admin');
    const name = unique('Autumn school');
    const email = `${unique('ada')}@example.gov`;
    await createCohort(page, name);
    await page.getByText('The cohort has been created.').waitFor();

    await tab(page, /^Products/);
    await heading(page, 'Attach a product');
    await button(page, /^Attach/)
      .first()
      .click();
    await page.getByText('The product has been attached.').waitFor();
    await page.getByLabel(/^Due on/).fill('2030-06-30');
    await button(page, /^Save\s*:/).click();
    await page.getByText('Saved.').waitFor();

    await paste(
      page,
      `Name;E-mail\nAda;${email}\nLearner;learner@example.gov\nBo;no address\nAda;${email.toUpperCase()}`,
    );
    expect([
      await figure(page, 'Added at once'),
      await figure(page, 'Invited by e-mail'),
      await figure(page, 'Invalid rows'),
      await figure(page, 'Duplicate in the list'),
    ]).toEqual(['1', '1', '1', '1']);
    await page
      .getByRole('row', { name: /no address/ })
      .getByText('This is not an e-mail address')
      .waitFor();
    await page.getByLabel('Label').fill('autumn');
    await button(page, 'Upload 2 addresses').click();
    await page.getByText('The upload has started.').waitFor();
    await page.getByRole('main').getByRole('status').filter({ hasText: 'Done' }).waitFor({ timeout: 60_000 });
    await expect.poll(async () => await figure(page, 'Invited'), { timeout: 60_000 }).toBe('1');
    const upload = page.url();
    const csv = await context.request.get(`${upload}/csv`);
    expect(await csv.text()).toContain(`${email},invited`);

    await tab(page, /^Invitations/);
    await button(page, 'Resend all invitations').click();
    await expect
      .poll(async () => await page.getByText(/0 invitations resent, 1 skipped/).isVisible(), {
        timeout: 60_000,
      })
      .toBe(true);

    const { links } = await mailTo(email);
    const guest = await visit();
    expect(links[0]).toContain('/signup');
    await guest.context.request.post('/api/auth/users', { data: { name: 'Ada Byron', email }, headers: SAME_SITE });
    let code = '';
    await expect
      .poll(async () => ([code = ''] = /^\d{6}$/m.exec((await mailTo(email)).text) ?? []).length, { timeout: 30_000 })
      .toBe(1);
    expect(
      (await guest.context.request.post('/api/auth/signups', { data: { email, code }, headers: SAME_SITE })).ok(),
    ).toBe(true);
    await guest.context.close();

    await tab(page, /^Members/);
    await page.getByRole('row', { name: /Ada Byron/ }).waitFor();
    await tab(page, /^Progress/);
    await page
      .getByRole('row', { name: /Ada Byron/ })
      .getByText('Not started')
      .waitFor();

    await page.goto(upload);
    await page.locator('summary', { hasText: 'Undo this upload' }).click();
    await page.getByLabel(/type the name of the cohort/).fill('another');
    await button(page, 'Undo this upload').click();
    await page.getByRole('alert').getByText('This is not the name of the cohort.').waitFor();
    await page.getByLabel(/type the name of the cohort/).fill(name);
    await button(page, 'Undo this upload').click();
    await page.getByText('The upload is being undone.').waitFor();
    await expect.poll(async () => await figure(page, 'Members removed'), { timeout: 60_000 }).toBe('2');
    await tab(page, /^Members/);
    await page.getByText('No members yet').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is created and filled without JavaScript', { timeout: 180_000 }, async () => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled: false });
    const name = unique('Plain school');
    await createCohort(page, name);
    await page.getByLabel('Add a person').fill('moderator@example.gov');
    await button(page, 'Add').click();
    await page.getByText('moderator@example.gov has been added.').waitFor();
    await paste(page, Array.from({ length: 300 }, (_, nth) => `plain-${nth}-${Date.now()}@example.gov`).join('\n'));
    await button(page, 'Upload 300 addresses').click();
    await expect.poll(async () => await page.getByText('300').count()).toBeGreaterThan(0);
    await page.getByRole('heading', { name: 'Result for each address' }).waitFor();
    await context.close();
  });

  it('takes a country from a list', { timeout: 60_000 }, async () => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled: false });
    await createCohort(page, unique('Country school'));
    await tab(page, /^Details/);
    expect(await page.getByLabel(/^Country/).inputValue()).toBe('');
    await page.getByLabel(/^Country/).selectOption({ label: 'Germany' });
    await button(page, 'Save').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await page.getByLabel(/^Country/).inputValue()).toBe('DE');
    await context.close();
  });
});

describe('members and invitations', () => {
  /** A cohort with the learner as its member and one invitation. */
  async function filled(page: Page): Promise<string> {
    await createCohort(page, unique('Winter school'));
    const invited = `${unique('cy')}@example.gov`;
    for (const email of ['learner@example.gov', invited]) {
      await page.getByLabel('Add a person').fill(email);
      await button(page, 'Add').click();
      await page.getByText(email, { exact: false }).first().waitFor();
    }
    return invited;
  }
  const isThere = async (page: Page, text: string) =>
    await page.request.get(page.url()).then(async (reply) => (await reply.text()).includes(text));

  it('are removed after a delay in which the removal can be undone', { timeout: 120_000 }, async () => {
    const { page, context, faults } = await visitAs('admin');
    await page.clock.install();
    const invited = await filled(page);
    const member = page.getByRole('row', { name: /learner@example\.gov/ });
    const remove = async () => {
      await member.locator('summary').click();
      await member.getByRole('button', { name: /^Remove/ }).click();
      await page.getByText(/is about to be removed\.$/).waitFor();
    };
    await remove();
    expect(await isThere(page, 'learner@example.gov')).toBe(true); // nothing has happened yet
    await button(page, 'Undo').click();
    await member.locator('summary').waitFor();
    await remove();
    expect(await axeFaults(page)).toEqual([]);
    await button(page, 'Remove now').click();
    await page.getByText('No members yet').waitFor();
    expect(await isThere(page, 'learner@example.gov')).toBe(false);

    // The browser's timer works too, even after navigating to another page.
    await tab(page, /^Invitations/);
    const row = page.getByRole('row', { name: new RegExp(invited.replaceAll('.', '\\.')) });
    await row.locator('summary').click();
    await row.getByRole('button', { name: /^Withdraw/ }).click();
    await page.getByText(`The invitation to ${invited} is about to be withdrawn.`).waitFor();
    const invitations = page.url();
    await tab(page, /^Members/);
    const isInvited = async () => (await (await context.request.get(invitations)).text()).includes(invited);
    await page.getByText('No members yet').waitFor();
    expect(await isInvited()).toBe(true);
    await page.clock.fastForward(UNDO_MS);
    await expect.poll(isInvited, { timeout: 20_000 }).toBe(false);
    await tab(page, /^Invitations/);
    await page.getByText('No open invitations').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('stay when the removal fails, with a message', { timeout: 60_000 }, async () => {
    const { page, context } = await visitAs('admin');
    await filled(page);
    await page.route('**/api/admin/cohorts/*/users/*', (route) => route.fulfill({ status: 503, body: '{}' }));
    const member = page.getByRole('row', { name: /learner@example\.gov/ });
    await member.locator('summary').click();
    await member.getByRole('button', { name: /^Remove/ }).click();
    await button(page, 'Remove now').click();
    await page.getByText('Something went wrong, and nothing was changed.').waitFor();
    await member.locator('summary').waitFor();
    await context.close();
  });

  it('are removed at once without JavaScript, after a confirmation', { timeout: 60_000 }, async () => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled: false });
    await filled(page);
    const member = page.getByRole('row', { name: /learner@example\.gov/ });
    await member.locator('summary').click();
    await member.getByText('They lose access to what only this cohort gave them').waitFor();
    await member.getByRole('button', { name: /^Remove/ }).click();
    await page.getByText('The person is no longer a member.').waitFor();
    await context.close();
  });
});

describe('a product of a cohort', () => {
  it.each([true, false])('is assigned to its members, with JavaScript: %s', async (javaScriptEnabled) => {
    const admin = await visitAs('admin', { javaScriptEnabled });
    const send = async (method: string, path: string, data: object) => {
      const reply = await admin.context.request.fetch(`/api/admin/${path}`, { method, data, headers: SAME_SITE });
      expect([path, reply.ok()]).toEqual([path, true]);
      return reply;
    };
    const name = unique('Intake');
    const made = { name, type: 'LEARNERS', primaryPartner: 'City of Example' };
    const { id } = await (await send('POST', 'cohorts', made)).json();
    const newcomer = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled });
    await send('POST', `cohorts/${id}/uploads`, { slug: unique('list'), emails: [newcomer.email] });

    await admin.page.goto(`/admin/cohorts/${id}/products?q=understood`);
    await button(admin.page, /^Attach/)
      .first()
      .click();
    await admin.page.getByText('The product has been attached.').waitFor();
    await admin.page.getByLabel(/^Due on/).fill('2020-06-30');
    await button(admin.page, /^Save\s*:/).click();
    await admin.page.getByText('This date has already passed').waitFor();

    const { page, faults } = newcomer;
    const assigned = page.getByRole('region', { name: 'Assigned to you' });
    await expect
      .poll(async () => {
        await page.goto('/');
        return await assigned.getByText(`Cohort: ${name}`).count();
      })
      .toBe(1);
    expect(await assigned.innerText()).toMatch(/Due on 30 Jun 2020 · [\d,]+ days late/);
    await page.goto('/me/learning');
    await assigned.getByRole('button', { name: /^Start/ }).click();
    await page.getByText(/^You have joined .* This is the first lesson\.$/).waitFor();
    await page.goto('/me/learning');
    expect(await assigned.count()).toBe(0);
    await page
      .getByText(/days late/)
      .first()
      .waitFor();
    expect([faults, admin.faults]).toEqual([[], []]);
  });

  it('shows its dates, refuses an end before the beginning, and takes nobody after the end', async () => {
    const { page, faults } = await visitAs('admin');
    const name = unique('Spring school');
    await createCohort(page, name);
    await tab(page, /^Details/);
    await page.getByLabel('Begins on').fill('2025-03-02');
    await page.getByLabel('Ends on').fill('2025-03-01');
    await button(page, 'Save').click();
    await page.getByText('The last day cannot be before the first.').first().waitFor();
    expect(await page.getByLabel('Begins on').inputValue()).toBe('2025-03-02');
    await page.getByLabel('Ends on').fill('2025-06-30');
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('This cohort has ended.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await tab(page, /^Members/);
    await page.getByText('No members yet').waitFor();
    expect(await page.getByLabel('Add a person').count()).toBe(0);
    await page.goto(`/admin/cohorts?q=${encodeURIComponent(name)}`);
    await page.getByRole('cell', { name: /2025.*2025.*Ended/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it(
    'quotes the message of its manager in invitations, previewed before it is saved',
    { timeout: 180_000 },
    async () => {
      const { page, faults } = await visitAs('admin');
      await createCohort(page, unique('Own words'));
      await tab(page, /^Invitations/);
      await page.getByRole('link', { name: 'Invitation e-mail' }).click();
      await heading(page, 'Invitation e-mail');
      await page.getByLabel('Your message').fill('Welcome!\n\nWe start on Monday <soon>.');
      await button(page, 'Preview').click();
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText('> We start on Monday <soon>.').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.reload();
      expect(await page.getByLabel('Your message').inputValue()).toBe('');
      await page.getByLabel('Your message').fill('We start on Tuesday.');
      await button(page, 'Save').click();
      await page.getByText('Saved.').waitFor();
      await preview.getByText('> We start on Tuesday.').waitFor();
      const cohort = page.url().replace('/invitations/mail', '');

      const email = `${unique('own.words')}@example.gov`;
      await page.goto(cohort);
      await page.getByLabel('Add a person').fill(email);
      await button(page, 'Add').click();
      await page.getByText(`${email} has been added.`).waitFor();
      expect((await mailTo(email)).text).toContain('> We start on Tuesday.');

      const plain = await visitAs('admin', { javaScriptEnabled: false });
      await plain.page.goto(`${cohort}/invitations/mail`);
      await plain.page.getByLabel('Your message').fill('Without script.');
      await plain.page.getByRole('button', { name: 'Preview' }).click();
      await plain.page.getByText('> Without script.').waitFor();
      expect(await plain.page.getByLabel('Your message').inputValue()).toBe('Without script.');
      expect(faults).toEqual([]);
    },
  );
});
