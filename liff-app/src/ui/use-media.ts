import { useSyncExternalStore } from 'react'

/** Whether a media query matches now. For layouts so different that with CSS alone both would be drawn. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    onChange => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}
