import { useState } from 'react'

/** A person's named sets of filters: their address without the page, under a name. */
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

/** What is kept; other versions, or people, may have written anything. */
function readViews(uid: string): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(uid)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isView).slice(0, MOST_VIEWS) : []
  } catch {
    return []
  }
}

/** Parameters of a page of the list rather than of what it lists. */
const PASSING = ['page', 'after', 'order']

/** The part of an address that a view keeps. */
export function viewOf(search: string): string {
  const kept = new URLSearchParams(search)
  for (const name of PASSING) kept.delete(name)
  return kept.toString()
}

/** The views of one person in this browser, and how to change them. */
export function useSavedViews(uid: string) {
  const [views, setViews] = useState(() => readViews(uid))
  const keep = (next: SavedView[]) => {
    setViews(next)
    try {
      localStorage.setItem(keyOf(uid), JSON.stringify(next))
    } catch {
      // Private mode or a full disk: they hold until this page is left.
    }
  }
  return {
    views,
    /** A name that is there already gets the new filters. */
    save: (name: string, search: string) => {
      const view = { name: name.trim().slice(0, LONGEST_NAME), search: viewOf(search) }
      keep([...views.filter(each => each.name !== view.name), view].slice(-MOST_VIEWS))
    },
    remove: (name: string) => keep(views.filter(each => each.name !== name)),
  }
}
