import { useState } from 'react'

/** A named set of filters: the address's parameters without the page. */
export interface SavedView {
  name: string
  search: string
}

const MOST_VIEWS = 20
const LONGEST_NAME = 40
const keyOf = (uid: string) => `orderViews:${uid}`

const isView = (value: unknown): value is SavedView => {
  const { name, search } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && name !== '' && typeof search === 'string'
}

/** Reads the stored views; the storage may hold anything, so each one is checked. */
function readViews(uid: string): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(uid)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isView).slice(0, MOST_VIEWS) : []
  } catch {
    return []
  }
}

/** Parameters that say where somebody is in the list, not what it lists. */
const PASSING = ['page', 'after', 'order']

/** The parameters of an address that a view keeps. */
export function viewOf(search: string): string {
  const kept = new URLSearchParams(search)
  for (const name of PASSING) kept.delete(name)
  return kept.toString()
}

/** The saved views of one person in this browser, and the ways to change them. */
export function useSavedViews(uid: string) {
  const [views, setViews] = useState(() => readViews(uid))
  const keep = (next: SavedView[]) => {
    setViews(next)
    try {
      localStorage.setItem(keyOf(uid), JSON.stringify(next))
    } catch {
      // Storing fails in private mode or on a full disk; the views are kept until the page is left.
    }
  }
  return {
    views,
    /** Saving under an existing name replaces that view. */
    save: (name: string, search: string) => {
      const view = { name: name.trim().slice(0, LONGEST_NAME), search: viewOf(search) }
      keep([...views.filter(each => each.name !== view.name), view].slice(-MOST_VIEWS))
    },
    remove: (name: string) => keep(views.filter(each => each.name !== name)),
  }
}
