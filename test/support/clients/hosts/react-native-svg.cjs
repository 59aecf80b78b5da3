/** Shapes of which posthog-react-native draws surveys; nothing is drawn here. */
module.exports = {}
