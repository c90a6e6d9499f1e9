// The sample compilations, which come with the page and are loaded when they are first shown.

/** The dumps of a compilation's passes. */
export interface Sample {
  title: string;
  /** The name of each dump, and its text. */
  stages: readonly (readonly [name: string, text: string])[];
}

/** The content of `passes.json`, which `scripts/samples.mjs` writes. */
interface File {
  texts: readonly string[];
  samples: readonly { title: string; stages: readonly (readonly [name: string, text: number])[] }[];
}

export async function loadSamples(): Promise<readonly Sample[]> {
  const answer = await fetch('passes.json');
  if (!answer.ok) throw new Error(`The samples cannot be loaded: ${answer.statusText}`);
  const { texts, samples } = (await answer.json()) as File;
  return samples.map(({ title, stages }) => ({ title, stages: stages.map(([name, at]) => [name, texts[at] ?? ''] as const) }));
}
