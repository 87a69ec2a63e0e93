# Mixed model: minutes before sunrise, lamps fixed, gardens random.
library(lme4)

results <- read.csv("experiment-results.csv")
results$lamp <- factor(results$lamp, levels = c("no", "yes"))

model <- lmer(minutes_before_sunrise ~ lamp * cloud + species + (1 | garden), data = results)
summary(model)
confint(model, method = "Wald")
