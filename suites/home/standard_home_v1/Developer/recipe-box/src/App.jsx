import { Component } from "preact";
import { parseRecipe } from "./parse";
import { Timer } from "./Timer";

export class App extends Component {
  state = { recipes: [], open: null };

  drop = async (event) => {
    event.preventDefault();
    const texts = await Promise.all([...event.dataTransfer.files].map((file) => file.text()));
    this.setState({ recipes: [...this.state.recipes, ...texts.map(parseRecipe)] });
  };

  render(_, { recipes, open }) {
    return (
      <main onDrop={this.drop} onDragOver={(event) => event.preventDefault()}>
        {open ? <Timer recipe={open} /> : recipes.map((each) => (
          <button onClick={() => this.setState({ open: each })}>{each.title}</button>
        ))}
      </main>
    );
  }
}
