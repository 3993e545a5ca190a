import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { createContext, useContext, useEffect } from 'react'

export const PageTitleContext = createContext<(title: string) => void>(() => undefined)

/** Replaces the route's title by one that is known only after loading, for example a game's name. */
export function usePageTitle(title: string | undefined): void {
  const setTitle = useContext(PageTitleContext)
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}

/** The title of the document, which LINE's header and browser tabs show. */
export const documentTitleOf = (title: string) => (title === SHOP_NAME ? title : `${title} · ${SHOP_NAME}`)
