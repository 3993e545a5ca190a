import { createContext, useContext, useEffect } from 'react'
import { SHOP_NAME } from './brand.tsx'

/** How the frame dresses a route. */
export type Page = {
  /** `root`: tab bar; `checkout`: back arrow and title instead of the brand; `inner`: the plain frame. */
  kind: 'root' | 'checkout' | 'inner'
  title: string
  /** Where the back arrow leads when there is nothing to go back to. */
  back?: string
}

export const PageTitleContext = createContext<(title: string) => void>(() => undefined)

/** Replaces the route's title by one that is known only after loading (a game's name). */
export function usePageTitle(title: string | undefined): void {
  const setTitle = useContext(PageTitleContext)
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}

/** LINE's header and browser tabs show this. */
export const getDocumentTitle = (title: string) => (title === SHOP_NAME ? title : `${title} · ${SHOP_NAME}`)
