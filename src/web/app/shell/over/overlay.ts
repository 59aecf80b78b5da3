/** What may be open over a screen; one at a time. */
export type Overlay = 'palette' | 'help' | 'requests' | 'menu'
