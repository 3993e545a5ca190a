/** Of two words the first that is found counts: most browsers name others beside themselves. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bLine\//i, 'LINE'],
  [/\bFBA[NV]\b|\bFB_IAB\b/, 'Facebook'],
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const MACHINES: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Names the device of a request so that its owner recognises it, "iPhone · LINE", in our own words alone: nothing that
 * the header says itself is kept.
 */
export function deviceOf(userAgent: string | undefined): string {
  const wordOf = (words: typeof BROWSERS) => words.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  return [wordOf(MACHINES), wordOf(BROWSERS)].filter(Boolean).join(' · ') || 'อุปกรณ์ที่ไม่รู้จัก'
}
