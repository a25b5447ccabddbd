import sharp from 'sharp';
import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { isTooWide, visitAs } from './visitor.ts';

it('an administrator designs certificates, and can look at one before saving', { timeout: 90_000 }, async () => {
  const { page, context, faults } = await visitAs('admin');
  await page.goto('/admin/site/certificate');
  await page.getByLabel('Layout').selectOption('Frame');
  await page.getByLabel('Colour of certificates').fill('#8a1c1c');
  const first = page.getByRole('group', { name: 'Signature 1' });
  await first.getByLabel('Name').fill('Amina Okoye');
  await first.getByLabel(/^Office/).fill('Director of the School');

  const preview = page.getByRole('button', { name: 'Preview' });
  const address = await preview.getAttribute('formaction');
  const drawn = await page.request.get(`${address}?layout=frame&colour=%238a1c1c&name1=Amina+Okoye`);
  expect([drawn.status(), drawn.headers()['content-type']]).toEqual([200, 'application/pdf']);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: false }).first().waitFor();
  expect(await page.getByLabel('Layout').inputValue()).toBe('frame');
  expect(await first.getByLabel('Name').inputValue()).toBe('Amina Okoye');

  const seal = await sharp({ create: { width: 80, height: 80, channels: 4, background: '#8a1c1c80' } })
    .png()
    .toBuffer();
  await page.locator('#upload-seal').setInputFiles({ name: 'seal.png', mimeType: 'image/png', buffer: seal });
  await page.getByRole('button', { name: 'Upload the picture' }).first().click();
  await page.getByRole('button', { name: 'Remove Seal' }).waitFor();

  await page.getByLabel('Colour of certificates').fill('red');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('There is a problem').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await isTooWide(page)).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
