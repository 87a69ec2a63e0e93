-- Print the sixteen colours of the terminal, to see what the theme does to them.
for row = 0, 1 do
  for column = 0, 7 do
    local colour = row * 8 + column
    io.write(("\27[48;5;%dm %3d \27[0m"):format(colour, colour))
  end
  io.write("\n")
end
