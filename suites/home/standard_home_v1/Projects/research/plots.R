# Figures for the poster.
library(ggplot2)

results <- read.csv("experiment-results.csv")
ggplot(results, aes(factor(garden), minutes_before_sunrise, fill = lamp)) +
  geom_boxplot() +
  labs(x = "garden", y = "minutes before sunrise") +
  theme_minimal()
ggsave("figures/first-song-by-garden.png", width = 7, height = 4)
