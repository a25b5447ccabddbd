import type { TestProject } from 'vitest/node';
import { startProduct } from './product.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    productUrl: string;
    productDataDir: string;
    productDatabaseUrl: string;
  }
}

/** One product for all browser journeys. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const product = await startProduct();
  project.provide('productUrl', product.url);
  project.provide('productDataDir', product.dataDir);
  project.provide('productDatabaseUrl', product.databaseUrl ?? '');
  return () => product.stop();
}
